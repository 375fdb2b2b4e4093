import type { AddressInfo } from 'node:net'
import { createAgentGateway } from '#server/fronts/agents/gateway.ts'
import { createFacade } from '#server/fronts/rest/facade.ts'
import { createFront } from '#server/http/front.ts'
import { testRuntime } from '../api/api.ts'
import type { TestDatabase } from '../database.ts'
import { TEST_SECRET_KEYS } from '../runs/worker-processes.ts'

export type AgentFront = { url: string; close: () => Promise<void> }

/** Starts what remote agents, and the callers of the API, reach of a web process: in this process, on a port. */
export async function startAgentFront(
  { db, url }: Pick<TestDatabase, 'db' | 'url'>,
  settings: Record<string, string>,
): Promise<AgentFront> {
  const runtime = testRuntime(db, {
    DATABASE_URL: url,
    SECRET_KEYS: TEST_SECRET_KEYS,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings,
  })
  runtime.live.start()
  const gateway = createAgentGateway(runtime)
  const front = createFront({ runtime, api: createFacade(runtime), agent: gateway })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    async close() {
      gateway.endPolls()
      const closed = new Promise((resolve) => front.close(resolve))
      front.closeAllConnections()
      await closed
      runtime.waits.close()
      await Promise.all([gateway.close(), runtime.live.close()])
    },
  }
}
