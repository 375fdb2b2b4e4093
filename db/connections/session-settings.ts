// The settings of every connection of both drivers: a role, a database or a server may have other defaults.

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

/** Returns one statement that sets all settings. `statementMs` limits statements on the server; 0 for no limit. */
export function setSession(statementMs: number): string {
  const settings = { ...SETTINGS, statement_timeout: String(statementMs) }
  const set = Object.entries(settings).map(
    ([name, value]) =>
      `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', false) end`,
  )
  return `select pg_backend_pid() as pid, ${set.map((call, index) => `${call} as s${index}`).join(', ')}`
}
