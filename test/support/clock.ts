import postgres from 'postgres'
import { afterAll, beforeAll, vi } from 'vitest'
import type { TestDatabase } from './database.ts'

export type ControlledClock = {
  /** Sets the time to `at`, where it stops. */
  set: (at: Date) => Promise<void>
}

/**
 * Lets the test set the time, for every process on its database. Workers read due times, liveness and leases by the
 * database's `now()` only, so this replaces `now()` in the test's database by a function of the same name. It covers all
 * statements, those of the job queue and column defaults included, without a hook for tests in the product. The wall
 * clock of this process follows; timers and the clock that measures calls stay real.
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
