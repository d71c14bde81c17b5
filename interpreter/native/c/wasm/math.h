/* What sources need of <math.h> where there is no C library: found only by compilers that make wasm, which has an
 * instruction for it. */
#ifndef RULEWRIGHT_WASM_MATH_H
#define RULEWRIGHT_WASM_MATH_H

static inline double sqrt(double number) {
    return __builtin_sqrt(number);
}

#endif
