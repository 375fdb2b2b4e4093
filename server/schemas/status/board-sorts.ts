// Without zod, which lists would load with it.

/**
 * What the board is sorted by. `since`: how long a service is in its state. Services without a value come last in both
 * orders.
 */
export const BOARD_SORTS = ['state', 'name', 'since', 'lastRun', 'schedule', 'uptime24h', 'uptime7d', 'p95'] as const
export type BoardSort = (typeof BOARD_SORTS)[number]

/** Ascending states begin with the worst. */
export const BOARD_ORDERS = ['asc', 'desc'] as const
export type BoardOrder = (typeof BOARD_ORDERS)[number]
