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
  // A statement ends when its client is gone.
  client_connection_check_interval: '1s',
  // From PostgreSQL 17 on.
  transaction_timeout: '0',
}

/** Returns a statement that sets all settings. `statementMs` limits statements on the server; 0 for no limit. */
export function setSettings(statementMs: number, isOfTransaction: boolean): string {
  const calls = Object.entries({ ...SETTINGS, statement_timeout: String(statementMs) }).map(
    ([name, value]) =>
      `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', ${isOfTransaction}) end`,
  )
  return `select ${calls.join(', ')}`
}
