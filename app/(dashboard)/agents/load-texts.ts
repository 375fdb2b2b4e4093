import type { AgentState } from '#server/schemas/organization/agents.ts'
import { millisecondsText, roundedPercentText } from '../../components/numbers.ts'

type Capacity = AgentState['capacity']

/** Returns for example `12 of 500`, and a dash while nothing is known. */
export function capacityText(capacity: Capacity): string {
  if (capacity === null) return '–'
  return `${capacity.busy.toLocaleString('en')} of ${capacity.slots.toLocaleString('en')}`
}

/** Returns the share of the slots that are busy; null without slots. */
export function busyShare(capacity: Capacity): number | null {
  return capacity === null || capacity.slots === 0 ? null : capacity.busy / capacity.slots
}

/** Returns for example `7 %` for a share of the processor time. */
export function loadText(load: number | null): string {
  return load === null ? '–' : roundedPercentText(load * 100)
}

/** Returns for example `40 ms behind`; a clock that differs by less than half a second is right. */
export function clockText(offsetMs: number | null): string {
  if (offsetMs === null) return '–'
  if (Math.abs(offsetMs) < 500) return 'right'
  return `${millisecondsText(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead' : 'behind'}`
}

/** Returns for example `Public addresses and 10.20.0.0/16`. Null networks are those of the installation. */
export function reachText(networks: string[] | null): string {
  if (networks === null) return 'Public addresses and the networks of the installation'
  if (networks.length === 0) return 'Public addresses only'
  return `Public addresses and ${networks.join(', ')}`
}
