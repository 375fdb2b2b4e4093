import { expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'
import { statementsOf } from '#test/support/statements.ts'

const api = testApi()

/** Returns the statements by verb and table, without those of authentication and of the count of API calls. */
async function statementsOfPost(path: string, body: (parents: Parents) => unknown): Promise<string[]> {
  const organization = await api.create.organization()
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace)
  const key = await api.create.key(organization.owner)
  const statements = await statementsOf(async () => {
    const answer = await api.call(key, 'POST', path, {
      body: body({ workspaceId: workspace.id, projectId: project.id }),
    })
    expect(answer.status).toBe(200)
  })
  return statements
    .filter((text) => !/api_keys|key_usage/.test(text))
    .map(
      (text) =>
        /^\s*(\w+)(?:.*?\b(?:from|into)\b)?(?: "?(\w+)"?)?/s.exec(text)?.slice(1).filter(Boolean).join(' ') ?? text,
    )
}

type Parents = { workspaceId: string; projectId: string }

test('creating a service reads its project and nothing about the new service', async () => {
  const body = ({ projectId }: Parents) => ({ projectId, name: 'Checkout' })
  expect(await statementsOfPost('/services', body)).toEqual([
    'select projects',
    'begin',
    'insert services',
    'insert variables',
    'insert audit_entries',
    'commit',
  ])
})

test('creating a project reads its workspace and no metrics', async () => {
  const body = ({ workspaceId }: Parents) => ({ workspaceId, name: 'Shop' })
  expect(await statementsOfPost('/projects', body)).toEqual([
    'select workspaces',
    'begin',
    'insert projects',
    'insert audit_entries',
    'commit',
  ])
})
