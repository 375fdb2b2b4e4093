import { isUnavailable, sqlErrorOf } from '../errors.ts'
import type { RunOptions } from './connection.ts'
import type { Pool } from './pool.ts'
import type { PreparePolicy } from './prepared.ts'
import type { ReplicaLag } from './replica-lag.ts'
import { Client, type PoolClient } from './session.ts'

/** A replica cancels a statement that keeps it from applying changes. */
const RECOVERY_CONFLICT = '40001'
/** The time limit of a statement: on the primary it would take as long. */
const CANCELLED = '57014'

/** Sends each statement to the replica, or to the primary while the replica lags or is away. */
export class ReplicaClient extends Client {
  readonly #primary: PoolClient
  readonly #replica: Pool
  readonly #lag: ReplicaLag

  constructor(primary: PoolClient, replica: Pool, lag: ReplicaLag, isPrepared: PreparePolicy) {
    super(primary.options, isPrepared)
    this.#primary = primary
    this.#replica = replica
    this.#lag = lag
  }

  override async run(text: string, values: unknown[], options: RunOptions): Promise<unknown> {
    if (!(await this.#lag.isFresh())) return await this.#primary.run(text, values, options)
    try {
      return await this.#replica.run(text, values, options)
    } catch (error) {
      const { sqlState } = sqlErrorOf(error)
      if (sqlState === CANCELLED || (sqlState !== RECOVERY_CONFLICT && !isUnavailable(error))) throw error
      if (sqlState !== RECOVERY_CONFLICT) this.#lag.distrust()
      return await this.#primary.run(text, values, options)
    }
  }
}
