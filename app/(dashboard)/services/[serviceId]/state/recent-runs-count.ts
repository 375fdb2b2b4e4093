/** How many runs the bars of a service show. */
export const RECENT_RUNS = 60
