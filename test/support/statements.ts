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

export type Traffic = { statements: string[]; roundTrips: number }

/** Returns the statements of `work`, and how many times it waited for the database: what is sent at once waits once. */
export async function trafficOf(work: () => Promise<unknown>, isCounted: (text: string) => boolean): Promise<Traffic> {
  const { run } = Connection.prototype
  const traffic: Traffic = { statements: [], roundTrips: 0 }
  let outstanding = 0
  const spy = vi.spyOn(Connection.prototype, 'run').mockImplementation(function (this: Connection, ...given) {
    const sent = run.apply(this, given)
    if (!isCounted(given[0])) return sent
    traffic.statements.push(given[0])
    if (outstanding++ === 0) traffic.roundTrips++
    const answered = () => {
      outstanding--
    }
    sent.then(answered, answered)
    return sent
  })
  try {
    await work()
    return traffic
  } finally {
    spy.mockRestore()
  }
}
