import { describe, expect, test } from 'vitest'
import { judge } from '#test/support/tenancy/judge.ts'
import { TENANT_TABLES } from '#test/support/tenancy/tables.ts'

const kindsOf = (text: string) => judge(text, TENANT_TABLES).map(({ kind, tables }) => `${kind} ${tables.join(' ')}`)

describe('a statement about rows of organizations', () => {
  test.each([
    ['select id, organization_id from results where service_id = $1', ['open results']],
    ['update webhooks set name = name where id = $1 returning organization_id', ['open webhooks']],
    ['delete from run_days where service_id = $1', ['open run_days']],
    ['insert into runs (id, service_id) values ($1, $2)', ['apart runs']],
    ['select from runs r join services s on s.id = r.service_id where r.organization_id = $1', ['apart services']],
    [
      'select from services s where s.organization_id = $1 and exists (select from runs r where r.service_id = s.id)',
      ['apart runs'],
    ],
    [
      'with held as (select id from runs where organization_id = $1) delete from runs r using held where r.id = held.id',
      ['apart runs'],
    ],
    ['select from runs where organization_id = $1 or id = $2', ['open runs']],
    ['select from runs where organization_id <> $1', ['open runs']],
    ['select from runs r, services s where r.organization_id = s.organization_id', ['open runs services']],
    ['select from runs where organization_id = $1 union select from services where id = $2', ['open services']],
  ])('is found without the organization: %s', (text, findings) => {
    expect(kindsOf(text)).toEqual(findings)
  })

  test.each([
    'select id from results r where r.organization_id = $1',
    'update "webhooks" set "name" = "name" where "webhooks"."organization_id" = $1',
    'select from webhooks w join groups g on g.organization_id = w.organization_id where g.organization_id = $1',
    'select from runs r join services s on (s.organization_id, s.id) = (r.organization_id, r.service_id) where r.organization_id = $1',
    'select from runs where (organization_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))',
    'select from runs join services using (organization_id, id) where runs.organization_id = any($1)',
    'select from services s where s.organization_id = $1 and exists (select from runs r where r.organization_id = s.organization_id)',
    'select from organizations o join groups g on g.organization_id = o.id where o.id = $1',
    'insert into runs (id, organization_id) values ($1, $2) on conflict do nothing',
    'select from users where id = $1',
  ])('is fine with it, and so is another table: %s', (text) => {
    expect(kindsOf(text)).toEqual([])
  })
})
