import { AGENT_ERROR_CODES, ERRORS, messageOf, PUBLIC_ERROR_CODES } from '#server/schemas/errors/error-table.ts'
import type { RunFailure } from '#server/schemas/results/failures.ts'
import type { ResultStep } from '#server/schemas/results/results.ts'
import { KIND_TITLES, WORD_KINDS, WORDS } from '../../components/script-editor/reference.ts'
import { server } from '../../server.ts'
import { CURL, GITHUB_ACTIONS, GITLAB_CI, JENKINS, SHELL } from './recipes.ts'
import { RUN_AND_WAIT_SHELL, RUN_AND_WAIT_TYPESCRIPT } from './scripts.ts'
import { VERIFY_GO, VERIFY_JAVASCRIPT, VERIFY_PYTHON } from './verify-webhooks.ts'
import { WEBHOOK_MESSAGE, WEBHOOK_TEMPLATE } from './webhook-message.ts'

const { appRouter, createRouteTable, permissionText, TOOLS } = server

/** The generated parts of the documentation, as Markdown, by the name of their comment in the text. */
export const INSERTS: Record<string, () => string> = {
  codes,
  agentCodes,
  permissions,
  tools,
  words,
  step: () => fenced('json', JSON.stringify(STEP, null, 2)),
  failure: () => fenced('json', `"failure": ${JSON.stringify(FAILURE, null, 2)}`),
  message: () => fenced('json', WEBHOOK_MESSAGE),
  template: () => fenced('json', WEBHOOK_TEMPLATE),
  githubActions: () => fenced('yaml', GITHUB_ACTIONS),
  gitlabCi: () => fenced('yaml', GITLAB_CI),
  jenkins: () => fenced('groovy', JENKINS),
  shell: () => fenced('sh', SHELL),
  curl: () => fenced('sh', CURL),
  script: () => fenced('sh', RUN_AND_WAIT_SHELL.trimEnd()),
  typescript: () => fenced('ts', RUN_AND_WAIT_TYPESCRIPT.trimEnd()),
  verifyJavascript: () => fenced('js', VERIFY_JAVASCRIPT),
  verifyPython: () => fenced('python', VERIFY_PYTHON),
  verifyGo: () => fenced('go', VERIFY_GO),
}

/** Every code of the API with its status, its meaning and what to do, each under a heading, so that the `doc` of an error can link to it. */
function codes(): string {
  return PUBLIC_ERROR_CODES.map((code) => {
    const { status, meaning, details } = ERRORS[code]
    const named = details ? ` \`details\`: ${details.map((name) => `\`${name}\``).join(', ')}.` : ''
    return [`### \`${code}\``, `Status ${status}. ${meaning}${named}`, messageOf({ api: code })].join('\n\n')
  }).join('\n\n')
}

function agentCodes(): string {
  const rows = AGENT_ERROR_CODES.map((code) => {
    const { status, meaning } = ERRORS[code]
    return `| \`${code}\` | ${status} | ${meaning} | ${messageOf({ api: code })} |`
  })
  return ['| Code | Status | Meaning | What to do |', '|---|---|---|---|', ...rows].join('\n')
}

function permissions(): string {
  const rows = createRouteTable(appRouter).routes.map(
    ({ operationId, method, path, needs }) =>
      `| [${method} ${path}](/docs/operations/${operationId}) | ${permissionText(needs)} |`,
  )
  return ['| Operation | Permission |', '|---|---|', ...rows].join('\n')
}

function tools(): string {
  const rows = TOOLS.map(({ name, access, description }) => `| \`${name}\` | ${access} | ${description} |`)
  return ['| Tool | Key | What it does |', '|---|---|---|', ...rows].join('\n')
}

/** The words that the editor completes and explains, by group. */
function words(): string {
  const rows = WORD_KINDS.flatMap((kind) =>
    WORDS[kind].map(({ name, text }) => `| ${KIND_TITLES[kind]} | \`${name.replaceAll('|', '\\|')}\` | ${text} |`),
  )
  return ['| Group | Word | Meaning |', '|---|---|---|', ...rows].join('\n')
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

const STEP: Partial<ResultStep> = {
  stepNum: 2,
  method: 'GET',
  urlTemplate: '$s.base/cart/$$cartId',
  outcome: 'success',
  requestUrl: 'https://shop.example/cart/81',
  statusCode: 200,
  responseTimeMs: 184.2,
  waitMs: 500,
}

const FAILURE: RunFailure = {
  summary: 'GET https://shop.example/cart: status 500, expected 200 (1 more failed)',
  cause: 'status 500, expected 200',
  status: 'failure',
  step: { stepNum: 2, method: 'GET', url: 'https://shop.example/cart', statusCode: 500 },
  assertion: { stepNum: 2, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 },
  error: null,
  phase: null,
  moreFailed: 1,
  excerpt: '{"message":"no connection to the database"}',
}
