/* Numbers that Python hands over in a row. */
#ifndef RW_READING_H
#define RW_READING_H

#include "rw.h"

/* Numbers that were handed over, read one by one. `is_wrong` once one of them was out of its range or missing. */
typedef struct {
    const int32_t *at;
    int32_t left;
    int8_t is_wrong;
} RwReading;

static int32_t rw_told_next(RwReading *R, int32_t low, int32_t high) {
    if (R->left < 1 || *R->at < low || *R->at > high) {
        R->is_wrong = 1;
        R->left = 0;
        return low;
    }
    R->left--;
    return *R->at++;
}

#endif
