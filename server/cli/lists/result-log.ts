import { dataOf } from '../client/api-failure.ts'
import type { ApiClient, Schemas } from '../client/create-client.ts'
import { PAGE_SIZE } from '../client/pages.ts'

type Service = Pick<Schemas['Service'], 'id' | 'name' | 'projectId'>
type Result = Schemas['ResultSummary']
export type LoggedResult = { service: Service; result: Result }

/** The newest results of services, each returned once, without a look at any clock. */
export class ResultLog {
  private readonly client: ApiClient
  /** By service: the ids of its newest results when it was read last, and when the oldest of them started. */
  private readonly known = new Map<string, { ids: Set<string>; oldest: string }>()

  constructor(client: ApiClient) {
    this.client = client
  }

  /** Returns the newest `limit` results of these services, oldest first. */
  async readLatest(services: Service[], limit: number): Promise<LoggedResult[]> {
    const found: LoggedResult[] = []
    for (const service of services) {
      for (const result of await this.read(service)) found.push({ service, result })
    }
    return found.sort((a, b) => a.result.startedAt.localeCompare(b.result.startedAt)).slice(-limit)
  }

  /** Returns what came since the last call, oldest first; of a service that was never read, the newest `count`. */
  async readNew(service: Service, count: number): Promise<LoggedResult[]> {
    const known = this.known.get(service.id)
    const results = await this.read(service)
    const fresh = known
      ? results.filter(({ id, startedAt }) => !known.ids.has(id) && startedAt >= known.oldest)
      : results.slice(0, count)
    return fresh.reverse().map((result) => ({ service, result }))
  }

  private async read({ id }: Service): Promise<Result[]> {
    const params = { path: { id }, query: { pageSize: PAGE_SIZE } }
    const { items } = await dataOf(this.client.GET('/api/public/v1/services/{id}/results', { params }))
    this.known.set(id, { ids: new Set(items.map((result) => result.id)), oldest: items.at(-1)?.startedAt ?? '' })
    return items
  }
}
