/* What a search has found: figures of its root, which whoever asked for it reads. rw_search.h includes this at its end. */
#ifndef RW_FOUND_H
#define RW_FOUND_H

enum { RW_SEARCH_FIGURES = 6 };

/* Simulations at this root; whether it is proved; its best slot; its visits; nodes and slots of the tree. */
RW_API void rwx_search_figures(const RwSearch *Q, int64_t *out) {
    const RwNode *root = &Q->tree.nodes[Q->root];
    out[0] = Q->simulations;
    out[1] = Q->is_decided;
    out[2] = rw_best_slot(&Q->tree, root);
    out[3] = root->visits;
    out[4] = Q->tree.nnodes;
    out[5] = Q->tree.nslots;
}

/* Of each slot of the root its visits and its q, pair by pair. */
RW_API void rwx_search_slots(const RwSearch *Q, double *out) {
    const RwSlot *slots = Q->tree.slots + Q->tree.nodes[Q->root].first;
    for (int32_t i = 0; i < Q->nroot; i++) {
        out[2 * i] = slots[i].visits;
        out[2 * i + 1] = slots[i].q;
    }
}

#endif
