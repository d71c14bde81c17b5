/* A payment told as numbers, so that a test in Python can ask the C runtime about any payment.
 *
 * A payment is: costs; for each amount, pattern, values, n and the n values that will do, sources; for each source
 *   0 key offset wild source step low high capped     a counter, or
 *   1 by? wild source n piece …                       pieces
 */
#define RW_PLAYERS 4
#define RW_PIECES 24
#define RW_LISTS 1
#define RW_SLOTS 0
#define RW_FIELDS 16
#define RW_DICE 0
#define RW_SMALL int16_t
#define RW_SHIFT 0
#define RW_WIDE int16_t
#define RW_WIDES 0
#define RW_SLOTS_WIDE 0
#define RW_LINK int8_t
#define RW_LINK_SHIFT 0
#define RW_PLACE int8_t
#define RW_PLACE_SHIFT 0
#define RW_FARS 0
#define RW_STACK 16
#define RW_RESULT 1
#define RW_WHYS 1
#define RW_HITS 0
#define RW_ENV 8
#define RW_FACES 0
#define RW_STEP 256
#define RW_STEP_LIMIT 25600000
#define RW_COSTS 3
#define RW_KINDS 60
#define RW_PAID_PIECES 150

#include "rw.h"

/* equal pieces have consecutive numbers */
static const int16_t RW_ROW[RW_PIECES + 1] = {-1, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 5, 5,
                                              5, 6, 7, 7, 8, 8, 8, 8, 8, 9, 9};
static const elt COLOUR[RW_PIECES] = {0, 0, 0, 1, 2, 2, 1, 1, 1, 1, 0, 3, 3, 3, 2, 4, 4, 0, 0, 0, 0, 0, 1, 1};

#include "rw_payments.h"

static const int32_t *add_source(RwPay *P, const State *S, const int32_t *in) {
    if (in[0] == 0) {
        rw_pay_counter(P, S, in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], 0);
        return in + 9;
    }
    rw_pay_pieces(P, (Set){in + 5, in[4]}, in[1] ? COLOUR : NULL, in[2], in[1] == 2 ? 1 : RW_WILD, in[3]);
    return in + 5 + in[4];
}

static void describe(RwPay *P, const State *S, const int32_t *in) {
    rw_pay_begin(P);
    for (int32_t costs = *in++; costs > 0; costs--) {
        rw_pay_cost(P, in[0], in[1], (Set){in + 4, in[3]}, in[2]);
        in += 4 + in[3];
        for (int32_t sources = *in++; sources > 0; sources--) in = add_source(P, S, in);
    }
}

static void with_fields(State *S, const int32_t *fields) {
    memset(S, 0, sizeof *S);
    for (int i = 0; i < RW_FIELDS; i++) rw_set_number(S, i, fields[i]);
}

int payable(const int32_t *told, const int32_t *fields, const int32_t *picks, int n) {
    State S;
    RwPay P;
    with_fields(&S, fields);
    describe(&P, &S, told);
    return rw_payable(&P, (Set){picks, n});
}

/* Gives what rw_pay_options gives; the options are in `out`, their number in *found. */
int options(const int32_t *told, const int32_t *fields, const int32_t *picks, int n, int32_t *out, int32_t *found) {
    static Ctx C;
    State S;
    RwPay P;
    C.opts = out;
    C.optop = 0;
    C.optcap = 64;
    with_fields(&S, fields);
    describe(&P, &S, told);
    int answer = rw_pay_options(&C, &P, (Set){picks, n}, 7);
    *found = C.optop;
    return answer;
}

int paid(const int32_t *told, const int32_t *fields, const int32_t *picks, int n, int cost, int source, int32_t *out) {
    State S;
    RwPay P;
    with_fields(&S, fields);
    describe(&P, &S, told);
    return rw_paid(&P, (Set){picks, n}, cost, source, out);
}

int settle(const int32_t *told, int32_t *fields, const int32_t *picks, int n, int player, int to) {
    static Ctx C;
    State S;
    RwPay P;
    with_fields(&S, fields);
    describe(&P, &S, told);
    int signal = rw_settle(&C, &S, &P, (Set){picks, n}, player, to, -1);
    for (int i = 0; i < RW_FIELDS; i++) fields[i] = (int32_t)rw_number(&S, i);
    return signal;
}
