// The settings of every connection of both drivers: a role, a database or a server may have other defaults. Behind a
// pooler, the settings of each transaction.

const SETTINGS: Record<string, string> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '30s',
  idle_session_timeout: '0',
  // From PostgreSQL 17 on.
  transaction_timeout: '0',
}

/** Settings that a server may not have: those of later versions than the oldest. */
const OPTIONAL = new Set(['transaction_timeout'])
/** Set by `begin` itself. */
const OF_BEGIN = /^default_transaction_/

/** Returns one statement that sets all settings. `statementMs` limits statements on the server; 0 for no limit. */
export function setSession(statementMs: number): string {
  const set = settingsOf(statementMs).map(([name, value]) => setIfKnown(name, value, false))
  return `select pg_backend_pid() as pid, ${set.map((call, index) => `${call} as s${index}`).join(', ')}`
}

/**
 * Returns statements that begin a transaction with all settings, for a pooler that gives each transaction another
 * server process. The last one returns the id of the process. `set` costs the server 2 µs, `set_config` 5 µs.
 */
export function beginWithSettings(statementMs: number): string {
  const settings = settingsOf(statementMs).filter(([name]) => !OF_BEGIN.test(name))
  const set = settings.filter(([name]) => !OPTIONAL.has(name)).map(([name, value]) => `set local ${name} = '${value}'`)
  const optional = settings.filter(([name]) => OPTIONAL.has(name)).map(([name, value]) => setIfKnown(name, value, true))
  const begin = 'begin isolation level read committed read write not deferrable'
  return [begin, ...set, `select pg_backend_pid() as pid, ${optional.join(', ')}`].join('; ')
}

function settingsOf(statementMs: number): [name: string, value: string][] {
  return Object.entries({ ...SETTINGS, statement_timeout: String(statementMs) })
}

function setIfKnown(name: string, value: string, isLocal: boolean): string {
  return `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', ${isLocal}) end`
}
