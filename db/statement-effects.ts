/**
 * The effect of a migration's statement on an existing table: none, a lock of constant time, a lock during which the
 * table is read or rewritten, changes of rows, or unknown.
 */
export type StatementEffect = { kind: 'none' | 'lock' | 'read' | 'rewrite' | 'rows' | 'unknown'; blocks: Blocked }
/** The accesses that wait until the migration has committed. */
type Blocked = 'nothing' | 'writes' | 'reads and writes'

type Rule = { like: RegExp; kind: StatementEffect['kind']; blocks: Blocked }

/** A default that differs by row, so that PostgreSQL writes each row again. */
const BY_ROW = /gen_random_uuid|random\(|clock_timestamp|nextval|\bserial\b|\bidentity\b|generated always as/i

/** The first rule that fits counts. Group 1 is the table, or an index of it. */
const RULES: Rule[] = [
  { like: /^create (?:unique )?index concurrently .*? on (?:only )?(\S+)/i, kind: 'lock', blocks: 'nothing' },
  { like: /^create (?:unique )?index .*? on (?:only )?(\S+)/i, kind: 'read', blocks: 'writes' },
  { like: /^create (?:or replace )?(?:constraint )?trigger .*? on (\S+)/i, kind: 'lock', blocks: 'writes' },
  { like: /^create /i, kind: 'none', blocks: 'nothing' },
  { like: /^drop table (?:if exists )?(\S+)/i, kind: 'lock', blocks: 'reads and writes' },
  { like: /^drop index concurrently (?:if exists )?(\S+)/i, kind: 'lock', blocks: 'nothing' },
  { like: /^drop index (?:if exists )?(\S+)/i, kind: 'lock', blocks: 'reads and writes' },
  { like: /^alter index (?:if exists )?(\S+) rename to /i, kind: 'lock', blocks: 'nothing' },
  { like: /^drop trigger (?:if exists )?\S+ on (\S+)/i, kind: 'lock', blocks: 'reads and writes' },
  { like: /^drop /i, kind: 'none', blocks: 'nothing' },
  { like: /^(?:insert into|delete from|update(?: only)?) (\S+)/i, kind: 'rows', blocks: 'nothing' },
  { like: /^lock table (\S+)/i, kind: 'lock', blocks: 'reads and writes' },
  { like: /^alter table (?:only )?(\S+) .*\bset data type\b/i, kind: 'rewrite', blocks: 'reads and writes' },
  { like: /^alter table (?:only )?(\S+) .*\bset not null\b/i, kind: 'read', blocks: 'reads and writes' },
  { like: /^alter table (?:only )?(\S+) add constraint .*\bnot valid\b/i, kind: 'lock', blocks: 'writes' },
  { like: /^alter table (?:only )?(\S+) add constraint .*\bforeign key\b/i, kind: 'read', blocks: 'writes' },
  { like: /^alter table (?:only )?(\S+) add constraint .*\busing index\b/i, kind: 'lock', blocks: 'reads and writes' },
  { like: /^alter table (?:only )?(\S+) add constraint /i, kind: 'read', blocks: 'reads and writes' },
  { like: /^alter table (?:only )?(\S+) validate constraint /i, kind: 'read', blocks: 'nothing' },
  { like: /^alter table (?:only )?(\S+) /i, kind: 'lock', blocks: 'reads and writes' },
]

/** Returns what a statement does, and the table, or an index of it, that it does it to; null where it names none. */
export function effectOf(statement: string): StatementEffect & { table: string | null } {
  const text = statement.replaceAll(/\s+/g, ' ').trim()
  for (const { like, kind, blocks } of RULES) {
    const found = like.exec(text)
    if (!found) continue
    const table = found[1]?.replaceAll(/["(;,]/g, '').replace(/^public\./, '') ?? null
    const isRewritten = /^alter table/i.test(text) && /\badd column\b/i.test(text) && BY_ROW.test(text)
    return isRewritten ? { kind: 'rewrite', blocks: 'reads and writes', table } : { kind, blocks, table }
  }
  return { kind: 'unknown', blocks: 'reads and writes', table: null }
}
