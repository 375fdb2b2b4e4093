import type { JsonNode } from '@hyperjump/json-schema/instance/experimental'
import * as Instance from '@hyperjump/json-schema/instance/experimental'
import type { Json } from '../values/json.ts'

type Step = string | number

/**
 * Where a node of a value stands, or what is beneath it by one step more: `.user.tags[0]`, with quotes where a key is no
 * name: `.["a b"]`. The value itself is `.`, and the name of a field stands where the field does.
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
