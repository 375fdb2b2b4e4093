import {
  PRESET_FIELDS,
  PRESETS,
  type PresetField,
  type WebhookPreset,
} from '../../../schemas/organization/webhook-presets.ts'
import type { WebhookConfig } from '../config.ts'

/** A field that a preset lacks (`reason` null), or that it does not use. */
export type PresetProblem = { field: PresetField | 'method' | 'headers' | 'body'; reason: string | null }

/** Returns the first field of a configuration that its preset lacks or does not use, or null. */
export function presetProblem(preset: WebhookPreset, method: string, config: WebhookConfig): PresetProblem | null {
  const { label, required, optional } = PRESETS[preset]
  const unused = `is not used by ${label}`
  for (const field of PRESET_FIELDS) {
    const isGiven = Boolean(field === 'url' ? config.url : config.access?.[field])
    if (required.includes(field) && !isGiven) return { field, reason: null }
    if (isGiven && !required.includes(field) && !optional.includes(field)) return { field, reason: unused }
  }
  if (preset === 'json') return null
  if (method !== 'POST') return { field: 'method', reason: unused }
  if (Object.keys(config.headers).length > 0) return { field: 'headers', reason: unused }
  return config.body === null ? null : { field: 'body', reason: unused }
}
