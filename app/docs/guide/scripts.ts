// Complete programs. The guide shows them, and a test executes them.

export const RUN_AND_WAIT_SHELL = `#!/bin/sh
# Runs a service now and waits for its result. Exit status: 0 success, 1 failure, 2 no result.
# Needs curl, jq and these variables: SOUNDLINE_URL, SOUNDLINE_KEY (with write access), SERVICE_ID.
set -u
api="$SOUNDLINE_URL/api/public/v1"
service="/services/$SERVICE_ID"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# call METHOD PATH: prints the response. Retries after the time that the API returns with 429 and 503.
call() {
  for attempt in 1 2 3 4 5; do
    # The key is passed by standard input, because other processes can see the arguments of curl.
    status=$(printf 'header = "Authorization: Bearer %s"' "$SOUNDLINE_KEY" |
      curl -sS -K - -X "$1" -D "$work/headers" -o "$work/body" -w '%{http_code}' "$api$2") || return 1
    case "$status" in
      2*) cat "$work/body"; return 0 ;;
      429 | 503) sleep "$(tr -d '\\r' <"$work/headers" | awk 'tolower($1) == "retry-after:" { print $2 }')" ;;
      *) break ;;
    esac
  done
  echo "$1 $2 returned $status: $(cat "$work/body")" >&2
  return 1
}

run=$(call POST "$service/run") || exit 2
since=$(printf '%s' "$run" | jq -r .requestedAt)

result=
end=$(($(date +%s) + 180))
while [ -z "$result" ]; do
  if [ "$(date +%s)" -gt "$end" ]; then
    echo 'No result within three minutes' >&2
    exit 2
  fi
  sleep 2
  page=$(call GET "$service/results?since=$since&pageSize=1") || exit 2
  result=$(printf '%s' "$page" | jq -r '.items[0].id // empty')
done

details=$(call GET "$service/results/$result") || exit 2
printf '%s' "$details" | jq -r '"\\(.status) in \\(.runDurationMs) ms", (.failure.summary // empty), (.steps[] | "\\(.stepNum). \\(.requestUrl) \\(.statusCode) \\(.error // "")")'
[ "$(printf '%s' "$details" | jq -r .status)" = success ]
`

export const RUN_AND_WAIT_TYPESCRIPT = `// Runs a service now and waits for its result. Exit status: 0 success, 1 failure, 2 no result.
// Needs Node 22.18 or newer, openapi-fetch, the client next to this file, and these variables: SOUNDLINE_URL,
// SOUNDLINE_KEY (with write access), SERVICE_ID.
import { setTimeout as sleep } from 'node:timers/promises'
import { createSoundlineClient } from './soundline-client/client.ts'

const client = createSoundlineClient({
  baseUrl: setting('SOUNDLINE_URL'),
  apiKey: setting('SOUNDLINE_KEY'),
  fetch: fetchWithRetry,
})
const id = setting('SERVICE_ID')

const run = await client.POST('/api/public/v1/services/{id}/run', { params: { path: { id } } })
if (!run.data) fail('The run was refused: ' + run.error.error)
const since = run.data.requestedAt

let resultId: string | undefined
for (const end = Date.now() + 180_000; !resultId; ) {
  if (Date.now() > end) fail('No result within three minutes')
  await sleep(2_000)
  const page = await client.GET('/api/public/v1/services/{id}/results', {
    params: { path: { id }, query: { since, pageSize: 1 } },
  })
  if (!page.data) fail('The results were refused: ' + page.error.error)
  resultId = page.data.items[0]?.id
}

const result = await client.GET('/api/public/v1/services/{id}/results/{resultId}', {
  params: { path: { id, resultId } },
})
if (!result.data) fail('The result was refused: ' + result.error.error)
console.log(result.data.status + ' in ' + result.data.runDurationMs + ' ms')
if (result.data.failure) console.log(result.data.failure.summary)
for (const step of result.data.steps) console.log(step.stepNum + '.', step.requestUrl, step.statusCode, step.error ?? '')
process.exitCode = result.data.status === 'success' ? 0 : 1

/** Retries after the seconds in the Retry-After header. */
async function fetchWithRetry(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(request.clone())
    const seconds = Number(response.headers.get('Retry-After'))
    if (seconds === 0 || attempt === 5) return response
    await sleep(seconds * 1_000)
  }
}

function setting(name: string): string {
  return process.env[name] ?? fail('Set ' + name)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
`
