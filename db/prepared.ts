import type postgres from 'postgres'

// Drizzle has every statement parsed, described and planned anew, in two round trips. Prepared, it is one, and half the
// work on both sides. The driver never forgets what it prepared, so not everything may be.

/** Statements that a pool prepares, on each of its connections. */
const PREPARED_MAX = 400
/** A longer text is of long lists. */
const TEXT_MAX = 8_000
/** Statements remembered as sent once. */
const SEEN_MAX = 2_000
/** Planned for any values, a statement over partitions would lock them all. */
const PARTITIONED = /\bresults\b/

/**
 * The driver sends what is prepared behind what a connection is still busy with, where it waits however long that takes
 * while others are free. This option of its own, which its types do not tell, says no: one statement at a time.
 */
const ALONE = { onexecute: () => false }

/** The same client, which prepares statements that come again. */
export function preparing<Client extends postgres.Sql | postgres.TransactionSql>(
  client: Client,
  isPrepared = chooser(),
): Client {
  const unsafe: Unsafe = (text, values = [], options = {}) => {
    const prepare = options.prepare || (values.length > 0 && isPrepared(text))
    return client.unsafe(text, values, {
      ...options,
      prepare,
      ...(prepare ? ALONE : {}),
    } as postgres.UnsafeQueryOptions)
  }
  const within =
    (start: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const work = args.pop() as (tx: postgres.TransactionSql) => unknown
      return start(...args, (tx: postgres.TransactionSql) => work(preparing(tx, isPrepared)))
    }
  return new Proxy(client, {
    get(target, property) {
      const own = Reflect.get(target, property) as unknown
      if (property === 'unsafe') return unsafe
      if (property === 'begin' || property === 'savepoint') return within(own as (...args: unknown[]) => unknown)
      return own
    },
  })
}

type Unsafe = (
  text: string,
  values?: postgres.ParameterOrJSON<never>[],
  options?: postgres.UnsafeQueryOptions,
) => unknown

/** Whether a text is one to prepare: from its second time on, while there is room for it. */
function chooser(): (text: string) => boolean {
  const prepared = new Set<string>()
  const seen = new Set<string>()
  return (text) => {
    if (prepared.has(text)) return true
    if (prepared.size >= PREPARED_MAX || text.length > TEXT_MAX || PARTITIONED.test(text)) return false
    if (seen.has(text)) {
      prepared.add(text)
      seen.delete(text)
      return true
    }
    // Lists of every length never end; most of them do not come again.
    if (seen.size >= SEEN_MAX) seen.clear()
    seen.add(text)
    return false
  }
}
