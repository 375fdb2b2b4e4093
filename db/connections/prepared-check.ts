import { sqlErrorOf } from '../errors.ts'
import { Connection, type ConnectionOptions } from './connection.ts'

/** Each client gets the other's server connection in the second or third; the rest is for a pooler with other clients. */
const ROUNDS = 4
/** The statement is unknown, its name is taken, or the driver prepared it again in a transaction that had failed. */
const LOST = new Set(['26000', '42P05', '25P02'])
const TOO_MANY_CONNECTIONS = '53300'

/**
 * Returns whether prepared statements work in transactions that a pooler executes on different server connections. Two
 * clients hold one each, and then get each other's. True for a server itself, and where it allows no two connections.
 * @throws Error when the database cannot be used
 */
export async function keepsPreparedStatements(options: ConnectionOptions): Promise<boolean> {
  const clients: Connection[] = []
  try {
    for (let i = 0; i < 2; i++) clients.push(await Connection.open(options))
    for (let round = 0; round < ROUNDS; round++) {
      for (const client of clients) {
        await client.begin()
        await client.run('select $1::int as round', [round], { prepare: true })
      }
      // In both orders: a pooler lends next what was returned last, or what has been idle for longest.
      const returning = round % 2 === 0 ? clients : clients.toReversed()
      for (const client of returning) await client.run('commit', [], { isEnd: true })
    }
    return true
  } catch (error) {
    const { sqlState } = sqlErrorOf(error)
    if (sqlState === TOO_MANY_CONNECTIONS && clients.length < 2) return true
    if (LOST.has(sqlState)) return false
    throw error
  } finally {
    for (const client of clients) client.end()
  }
}
