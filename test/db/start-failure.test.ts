import { expect, test } from 'vitest'
import { failureIn } from '#db/embedded/start-failure.ts'

// Output of PostgreSQL 18 on full disks, and on a machine that lacks what it needs.

const TIME = '2026-03-01 10:00:00.000 UTC [33] '

test.each([
  [
    'a disk that is full during recovery, while a client connects',
    [
      `${TIME}LOG:  database system was not properly shut down; automatic recovery in progress`,
      `${TIME}FATAL:  the database system is not yet accepting connections`,
      `${TIME}PANIC:  could not write to file "pg_wal/xlogtemp.33": No space left on device`,
      `${TIME}LOG:  startup process (PID 33) was terminated by signal 6: Aborted`,
      `${TIME}FATAL:  the database system is shutting down`,
    ],
    'could not write to file "pg_wal/xlogtemp.33": No space left on device',
  ],
  [
    'no shared memory',
    [
      `${TIME}FATAL:  could not map anonymous shared memory: Cannot allocate memory`,
      `${TIME}HINT:  This error usually means that PostgreSQL's request for a shared memory segment exceeded available memory.`,
    ],
    'could not map anonymous shared memory: Cannot allocate memory',
  ],
  [
    'a lock file',
    [
      `${TIME}FATAL:  lock file "postmaster.pid" already exists`,
      `${TIME}HINT:  Is another postmaster (PID 7) running in data directory "/data/postgres"?`,
    ],
    'lock file "postmaster.pid" already exists',
  ],
  [
    'a disk that is full during the creation',
    [
      `${TIME}FATAL:  could not write to file "pg_wal/xlogtemp.9": No space left on device`,
      'child process exited with exit code 1',
      'initdb: removing contents of data directory "/data/postgres.new"',
    ],
    'could not write to file "pg_wal/xlogtemp.9": No space left on device',
  ],
  [
    'a folder that initdb cannot create',
    [
      'initdb: error: could not create directory "/data/postgres.new/pg_wal": No space left on device',
      'initdb: removing contents of data directory "/data/postgres.new"',
    ],
    'could not create directory "/data/postgres.new/pg_wal": No space left on device',
  ],
  [
    'a missing library',
    ['/x/postgres: error while loading shared libraries: libicu.so.60: cannot open shared object file', ''],
    '/x/postgres: error while loading shared libraries: libicu.so.60: cannot open shared object file',
  ],
  [
    'a missing file of the cluster',
    [
      'postgres: could not find the database system',
      'Expected to find it in the directory "/data/postgres",',
      'but could not open file "/data/postgres/global/pg_control": No such file or directory',
    ],
    'postgres: could not find the database system Expected to find it in the directory "/data/postgres", but could not open file "/data/postgres/global/pg_control": No such file or directory',
  ],
])('of %s, the line that matters', (_, lines, expected) => {
  expect(failureIn(lines.join('\n'))).toBe(expected)
})

test('of no output, none', () => {
  expect(failureIn('\n')).toBeNull()
})
