// Random choices of tests come from one seed, so that each run of the tests makes the same ones. `SEED=7 npm test` makes
// others. The report of a failure names the seed.

export const SEED = Number(process.env.SEED ?? 20_261_121)

/** Returns pseudo-random integers from 0 to `below - 1`, the same ones in each run of the tests. */
export function randomNumbers(): (below: number) => number {
  let state = SEED % 2_147_483_647 || 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
