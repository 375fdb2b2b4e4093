import type { JsonNode } from '@hyperjump/json-schema/instance/experimental'
import * as Instance from '@hyperjump/json-schema/instance/experimental'
import type { Json } from '../values/json.ts'

type Step = string | number

/**
 * Returns the path of a node, or of its child at `step`: `.user.tags[0]`. Keys that are not identifiers are quoted:
 * `.["a b"]`. The root is `.`. The name of a field has the same path as the field.
 */
export function writePath(node: JsonNode, step?: Step): string {
  const steps = [...stepsOf(node), ...(step === undefined ? [] : [step])]
  const text = steps.map(writeStep).join('')
  return text.startsWith('.') ? text : `.${text}`
}

function stepsOf(node: JsonNode): Step[] {
  let at = Instance.value<Json>(node.root)
  const pointer = node.pointer.replace(/^\*/, '')
  return pointer
    .split('/')
    .slice(1)
    .map((written) => {
      const key = written.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(at) ? Number(key) : key
      at = (at as Record<string, Json>)[key]!
      return step
    })
}

function writeStep(step: Step): string {
  if (typeof step === 'number') return `[${step}]`
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
}
