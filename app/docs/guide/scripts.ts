// Complete programs. The guide shows them, and a test executes them.

export const RUN_AND_WAIT_SHELL = `#!/bin/sh
# Runs a service now and waits for its result. Exit status: 0 success, 1 failure, 2 no verdict.
# Needs curl, jq and these variables: SOUNDLINE_URL, SOUNDLINE_KEY (with write access), SERVICE_ID.
set -u
service="$SOUNDLINE_URL/api/public/v1/services/$SERVICE_ID"
answer=$(mktemp) || exit 2
trap 'rm -f "$answer"' EXIT

# call URL OPTIONS: writes the response to the file "answer". After a refused connection, a timeout, 429 or 5xx, curl tries
# again as Retry-After says. After a connection that broke, there is no verdict.
call() {
  # The key is passed by standard input, because other processes can see the arguments of curl.
  echo "Authorization: Bearer $SOUNDLINE_KEY" |
    curl -sS --fail-with-body --retry 5 --retry-connrefused -H @- -o "$answer" "$@" && return
  cat "$answer" >&2
  exit 2
}

# All tries have the same Idempotency-Key, so none of them runs the service twice.
call "$service/run?wait=30" -X POST -H "Idempotency-Key: $(date +%s)-$$"
id=$(jq -r .runId "$answer")
run=$(jq .run "$answer")

end=$(($(date +%s) + 600))
while [ "$(printf '%s' "$run" | jq -r .state)" != done ]; do
  if [ "$(date +%s)" -gt "$end" ]; then
    echo 'The run is not done after ten minutes' >&2
    exit 2
  fi
  call "$service/runs/$id?wait=30"
  run=$(cat "$answer")
done

printf '%s' "$run" | jq -r '.outcome, (.summary // empty), (.results[] | "\\(.agentSlug): \\(.status) in \\(.runDurationMs) ms, \\(.url)")'
# Agents that did not run it leave the verdict open, though the others passed.
case "$(printf '%s' "$run" | jq -r 'if .outcome == "success" and .skippedAgents != [] then "skipped" else .outcome end')" in
  success) exit 0 ;;
  failure | timeout) exit 1 ;;
  *) exit 2 ;; # skipped or cancelled
esac
`

export const RUN_AND_WAIT_TYPESCRIPT = `// Runs a service now and waits for its result. Exit status: 0 success, 1 failure, 2 no verdict.
// Needs Node 22.18 or newer, openapi-fetch, the client next to this file, and these variables: SOUNDLINE_URL,
// SOUNDLINE_KEY (with write access), SERVICE_ID.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSoundlineClient } from './soundline-client/client.ts'

const client = createSoundlineClient({
  baseUrl: setting('SOUNDLINE_URL'),
  apiKey: setting('SOUNDLINE_KEY'),
  fetch: fetchWithRetry,
})
const id = setting('SERVICE_ID')

const requested = await client.POST('/api/public/v1/services/{id}/run', {
  // All tries have the same key, so none of them runs the service twice.
  params: { path: { id }, query: { wait: 30 }, header: { 'Idempotency-Key': randomUUID() } },
})
if (!requested.data) fail('The run was refused: ' + requested.error.error)
const { runId } = requested.data

let run = requested.data.run
for (const end = Date.now() + 600_000; run?.state !== 'done'; ) {
  if (Date.now() > end) fail('The run is not done after ten minutes')
  const waited = await client.GET('/api/public/v1/services/{id}/runs/{runId}', {
    params: { path: { id, runId }, query: { wait: 30 } },
  })
  if (!waited.data) fail('The run cannot be read: ' + waited.error.error)
  run = waited.data
}

console.log(run.outcome)
if (run.summary) console.log(run.summary)
for (const { agentSlug, status, runDurationMs, url } of run.results) {
  console.log(agentSlug + ': ' + status + ' in ' + runDurationMs + ' ms, ' + url)
}
const failed = run.outcome === 'failure' || run.outcome === 'timeout'
// Agents that did not run it leave the verdict open, though the others passed.
const passed = run.outcome === 'success' && run.skippedAgents.length === 0
process.exitCode = passed ? 0 : failed ? 1 : 2

/** Retries broken connections, 429 and 503, after the seconds in the Retry-After header. */
async function fetchWithRetry(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(request.clone()).catch(() => null)
    const seconds = response ? Number(response.headers.get('Retry-After')) : attempt
    if (response && (seconds === 0 || attempt === 5)) return response
    if (attempt === 5) fail('There is no connection to ' + new URL(request.url).host)
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
