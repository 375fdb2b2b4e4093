import { vi } from 'vitest'
import { Connection } from '#db/connections/connection.ts'

/** Returns the SQL that `work` sends to the database, `begin` and `commit` included. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(Connection.prototype, 'run')
  try {
    await work()
    return run.mock.calls.map(([text]) => text)
  } finally {
    run.mockRestore()
  }
}

/** Admission, the counts of API calls, and the settings of a new connection. */
const NOT_OF_OPERATIONS = /api_keys|key_usage|set_config/

/** Whether a request of the public API sends a statement after its admission. */
export function isOfOperation(text: string): boolean {
  return text !== '' && !NOT_OF_OPERATIONS.test(text)
}

export type Traffic = { statements: string[]; roundTrips: number }

/**
 * Returns the statements of `work`, and how many times it waited for the database, one after the other. Statements that
 * are sent together count as one wait.
 */
export async function trafficOf(work: () => Promise<unknown>, isCounted: (text: string) => boolean): Promise<Traffic> {
  const { run } = Connection.prototype
  const traffic: Traffic = { statements: [], roundTrips: 0 }
  let answered = 0
  const spy = vi.spyOn(Connection.prototype, 'run').mockImplementation(function (this: Connection, ...given) {
    const sent = run.apply(this, given)
    if (!isCounted(given[0])) return sent
    traffic.statements.push(given[0])
    const place = answered + 1
    traffic.roundTrips = Math.max(traffic.roundTrips, place)
    const end = () => {
      answered = Math.max(answered, place)
    }
    sent.then(end, end)
    return sent
  })
  try {
    await work()
    return traffic
  } finally {
    spy.mockRestore()
  }
}
