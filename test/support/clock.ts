import postgres from 'postgres'
import { afterAll, beforeAll, vi } from 'vitest'
import type { TestDatabase } from './database.ts'

export type ControlledClock = {
  /** Moves the time to `at`, where it stands still. */
  set: (at: Date) => Promise<void>
}

/**
 * Puts the test in charge of the time, for every process on its database. What is due, who is alive and which lease has
 * run out is asked of the database alone, by `now()`: one clock for any number of workers, whatever their own clocks
 * say. So that is where another one is put in: a function of that name in the place of the built-in one, in this database
 * alone. The product has no place where a time could be slipped in, and every statement is under the clock, those of
 * the job queue and the defaults of columns as well. The wall clock of this process, from which a run has
 * its start, follows; timers and the stopwatch by which calls are measured stay real.
 */
export function controlledClock(database: TestDatabase, start: Date): ControlledClock {
  let admin: postgres.Sql
  beforeAll(async () => {
    admin = postgres(database.url, { max: 1, onnotice: () => {} })
    await admin.unsafe(`
      create table clock (at timestamptz not null);
      insert into clock values ('${start.toISOString()}');
      set allow_system_table_mods = on;
      alter function pg_catalog.now() rename to system_now;
      create function pg_catalog.now() returns timestamptz language sql stable as 'select at from public.clock';
      do $$
      declare default_now record;
      begin
        for default_now in
          select d.adrelid::regclass as place, a.attname as name
          from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
          where pg_get_expr(d.adbin, d.adrelid) ~ '\\msystem_now\\(\\)'
        loop
          execute format('alter table %s alter column %I set default now()', default_now.place, default_now.name);
        end loop;
      end $$`)
    vi.useFakeTimers({ toFake: ['Date'], now: start })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await admin?.end()
  })
  return {
    async set(at) {
      await admin`update clock set at = ${at}`
      vi.setSystemTime(at)
    },
  }
}
