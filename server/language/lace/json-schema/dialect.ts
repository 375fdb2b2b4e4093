import * as Browser from '@hyperjump/browser'
import { setShouldValidateSchema } from '@hyperjump/json-schema/draft-2020-12'
import {
  addKeyword,
  defineVocabulary,
  getKeyword,
  type Keyword,
  loadDialect,
  Validation,
} from '@hyperjump/json-schema/experimental'
import * as Instance from '@hyperjump/json-schema/instance/experimental'
import { RE2JS } from 're2js'
import type { Json, JsonObject } from '../values/json.ts'
import { StepBudget } from '../values/limits.ts'
import { sameValue } from '../values/operators.ts'
import { SchemaRejected } from './check.ts'
import { isMultiple } from './scalars.ts'
import {
  type Additional,
  type AllowedValues,
  DESCRIBED,
  type EvaluationState,
  type Pattern,
  type PatternSchemas,
} from './types.ts'

// The keywords that evaluate documents. Most are the validator's own. We replace those that would run a pattern of the
// document with a backtracking engine, and a few that are not exact enough.

export const DIALECT = 'https://dialect.invalid/'

const STANDARD = 'https://json-schema.org/keyword/'
const OURS = `${DIALECT}keyword/`

/** For all patterns of a document. A program step takes about 400 bytes. */
const MAX_PROGRAM_STEPS = 100_000
const programSteps = new WeakMap<object, number>()
/** Compile costs that the size of the program does not show: 0.4 ms and 30 kB per `\p` (measured), … */
const UNICODE_CLASS_COST = 300
/** … and 8 ms per range when case is ignored, because every character of the range is expanded (measured). */
const FOLDED_RANGE_COST = 1_000

/** `document` is an object that identifies the document; its patterns share one budget. */
function compilePattern(source: string, document: object): Pattern {
  spendSteps(document, costOfSource(source))
  const compiled = linearPattern(source)
  spendSteps(document, compiled.size)
  return compiled
}

function spendSteps(document: object, steps: number): void {
  const spent = (programSteps.get(document) ?? 0) + steps
  if (spent > MAX_PROGRAM_STEPS) throw new SchemaRejected('its patterns are too large')
  programSteps.set(document, spent)
}

function costOfSource(source: string): number {
  const ignoresCase = /\(\?[a-z]*i/i.test(source)
  // Ranges that end within ASCII are short, so they are not counted.
  const ranges = ignoresCase ? countOf(source, /-(?![ -[\]-~])/g) : 0
  return countOf(source, /\\p/gi) * UNICODE_CLASS_COST + ranges * FOLDED_RANGE_COST
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

function linearPattern(source: string): Pattern {
  try {
    const regex = RE2JS.compile(RE2JS.translateRegExp(source))
    return { source, size: regex.programSize(), matches: (text) => regex.matcher(text).find() }
  } catch {
    throw new SchemaRejected(`the pattern ${source.slice(0, 100)} cannot be matched in linear time`)
  }
}

const pattern: Keyword<Pattern> = {
  id: `${OURS}pattern`,
  compile: async (schema, ast) => compilePattern(Browser.value(schema), ast),
  interpret: ({ matches }, instance) =>
    Instance.typeOf(instance) !== 'string' || matches(Instance.value<string>(instance)),
}

const patternProperties: Keyword<PatternSchemas, EvaluationState> = {
  id: `${OURS}patternProperties`,
  async compile(schema, ast) {
    const compiled: PatternSchemas = []
    for await (const [source, one] of Browser.entries(schema)) {
      compiled.push([compilePattern(source, ast), await Validation.compile(one as typeof schema, ast, schema)])
    }
    return compiled
  },
  interpret(patterns, instance, context) {
    let isValid = true
    for (const [key, value] of Instance.entries(instance)) {
      const name = Instance.value<string>(key)
      for (const [{ matches }, schemaUri] of patterns) {
        if (!matches(name)) continue
        if (!Validation.interpret(schemaUri, value, context)) isValid = false
        context.evaluatedProperties?.add(name)
      }
    }
    return isValid
  },
  simpleApplicator: true,
}

const additionalProperties: Keyword<Additional, EvaluationState> = {
  id: `${OURS}additionalProperties`,
  async compile(schema, ast, parent) {
    const { properties, patternProperties: patterns } = Browser.value<Record<string, JsonObject>>(parent)
    return {
      names: new Set(Object.keys(properties ?? {})),
      patterns: Object.keys(patterns ?? {}).map((source) => compilePattern(source, ast)),
      schemaUri: await Validation.compile(schema, ast, parent),
    }
  },
  interpret({ names, patterns, schemaUri }, instance, context) {
    let isValid = true
    for (const [key, value] of Instance.entries(instance)) {
      const name = Instance.value<string>(key)
      if (names.has(name) || patterns.some(({ matches }) => matches(name))) continue
      if (!Validation.interpret(schemaUri, value, context)) isValid = false
      context.evaluatedProperties?.add(name)
    }
    return isValid
  },
  simpleApplicator: true,
}

/** The validator's own keyword accepts every value within a ten-millionth of a multiple. */
const multipleOf: Keyword<number> = {
  id: `${OURS}multipleOf`,
  compile: async (schema) => Browser.value(schema),
  interpret: (step, instance) =>
    Instance.typeOf(instance) !== 'number' || isMultiple(Instance.value<number>(instance), step),
}

/** The value is a JSON string, so that no part of it is treated as a schema. */
function allowedValues(name: 'const' | 'enum'): Keyword<AllowedValues> {
  return {
    id: `${OURS}${name}`,
    async compile(schema) {
      const text = Browser.value<string>(schema)
      const value: Json = JSON.parse(text)
      const values = name === 'enum' ? (value as Json[]) : [value]
      return { values, cost: values.length * 5 + text.length / 4 }
    },
    interpret({ values }, instance) {
      const budget = new StepBudget(Number.POSITIVE_INFINITY)
      return values.some((value) => sameValue(value, Instance.value(instance), budget))
    },
  }
}

/** For `strict`: if a schema describes an object, some keyword must have evaluated each of its fields. */
const declared: Keyword<true, EvaluationState> = {
  id: `${OURS}declared`,
  compile: async () => true,
  interpret(_, instance, context) {
    const name = undeclaredField(instance, context)
    if (name === undefined) return true
    context.mismatch = { node: instance, step: name, detail: 'unexpected field' }
    return false
  },
  simpleApplicator: true,
  ...pluginOf(`${STANDARD}unevaluatedProperties`),
}

function undeclaredField(instance: Instance.JsonNode, context: EvaluationState): string | undefined {
  const evaluated = context.schemaEvaluatedProperties
  if (Instance.typeOf(instance) !== 'object' || !evaluated?.has(DESCRIBED)) return undefined
  return Object.keys(Instance.value<JsonObject>(instance)).find((name) => !evaluated.has(name))
}

function pluginOf(id: string) {
  const { plugin } = getKeyword<unknown>(id)
  return plugin === undefined ? {} : { plugin }
}

const STANDARD_KEYWORDS = [
  ...['$ref', '$defs', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'type', 'required'],
  ...['properties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'minProperties', 'maxProperties'],
  ...['items', 'prefixItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
]
const OWN_KEYWORDS = ['pattern', 'patternProperties', 'additionalProperties', 'multipleOf', 'const', 'enum', 'declared']
const STANDARD_NAMES: Record<string, string> = { $ref: 'ref', $defs: 'definitions' }

// Our own check replaces the validator's: a rewritten document uses keywords of no published draft.
setShouldValidateSchema(false)
addKeyword(pattern)
addKeyword(patternProperties as Keyword<PatternSchemas>)
addKeyword(additionalProperties as Keyword<Additional>)
addKeyword(multipleOf)
addKeyword(allowedValues('const'))
addKeyword(allowedValues('enum'))
addKeyword(declared as Keyword<true>)
defineVocabulary(`${DIALECT}vocabulary`, {
  ...Object.fromEntries(STANDARD_KEYWORDS.map((name) => [name, STANDARD + (STANDARD_NAMES[name] ?? name)])),
  ...Object.fromEntries(OWN_KEYWORDS.map((name) => [name, OURS + name])),
})
loadDialect(DIALECT, { [`${DIALECT}vocabulary`]: true })
for (const scheme of ['http', 'https', 'file']) Browser.removeUriSchemePlugin(scheme)
