/* What sources need of <math.h> where there is no C library: found only by compilers that make wasm, which has an
 * instruction for a root. */
#ifndef RULEWRIGHT_WASM_MATH_H
#define RULEWRIGHT_WASM_MATH_H

#define INFINITY (__builtin_inf())

static inline double sqrt(double number) {
    return __builtin_sqrt(number);
}

#endif
