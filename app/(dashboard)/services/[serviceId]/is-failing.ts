import type { Service } from '#server/schemas/services.ts'

/** Whether the latest run of a service failed. */
export function isFailing({ lastStatus }: Pick<Service, 'lastStatus'>): boolean {
  return lastStatus === 'failure' || lastStatus === 'timeout'
}
