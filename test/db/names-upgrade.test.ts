import { readFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { services, workspaces } from '#db/schema/resources.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'

const api = testApi()
const tree = testTree(api)

test('names that former releases stored get the form NFC, except those that would be twice in one place', async () => {
  const [composed, decomposed, twin] = ['Café', 'Cafe\u0301', 'Pa\u0301gina']
  const { organization, project } = tree
  const other = await api.create.project(tree.workspace)
  await api.create.workspace(organization, { name: decomposed })
  await api.create.service(project, { name: decomposed, label: 'e\u0301' })
  await api.create.service(project, { name: twin })
  await api.create.service(project, { name: twin.normalize('NFC') })
  await api.create.service(other, { name: twin })
  const migration = await readFile('db/migrations/0045_names_in_nfc.sql', 'utf8')
  for (const statement of migration.split('--> statement-breakpoint')) await api.db.execute(sql.raw(statement))

  const found = await api.db.select().from(workspaces).where(eq(workspaces.organizationId, organization.id))
  expect(found.map(({ name }) => name)).toContain(composed)
  const namesIn = async (projectId: string) =>
    (await api.db.select().from(services).where(eq(services.projectId, projectId))).map(({ name }) => name)
  expect((await namesIn(project.id)).sort()).toEqual([composed, twin, twin.normalize('NFC')].sort())
  expect(await namesIn(other.id)).toEqual([twin.normalize('NFC')])
  expect(await api.db.$count(services, eq(services.label, 'é'))).toBe(1)
})
