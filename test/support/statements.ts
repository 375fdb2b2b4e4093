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
