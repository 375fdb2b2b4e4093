import type { Runtime } from '../../context.ts'
import type { WebHandler } from '../../http/front.ts'
import type { ProcessMetrics } from '../../observe/metrics/process-metrics.ts'
import { createInstallationMetrics } from './installation.ts'
import { createProjectMetrics, PROJECT_PATH } from './project.ts'

/** Serves what monitoring systems read: the metrics of the installation, and of a project. @throws ApiError */
export function createMetrics(runtime: Runtime, own: ProcessMetrics): WebHandler {
  const installation = createInstallationMetrics(runtime, own)
  const project = createProjectMetrics(runtime)
  return (request, client) => {
    const [, id] = PROJECT_PATH.exec(client.target?.path ?? new URL(request.url).pathname) ?? []
    return id === undefined ? installation(request) : project(request, id, client.address)
  }
}
