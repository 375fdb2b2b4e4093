import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { VERIFY_GO, VERIFY_JAVASCRIPT, VERIFY_PYTHON } from '#app/docs/guide/verify-webhooks.ts'
import { signatureHeaders } from '#server/alerts/webhooks/signature.ts'
import { testFolder } from '#test/support/folder.ts'

// The functions of the guide that verify a webhook, each run by its own language on the same cases.

const folder = testFolder()
const SECRET = newSecret()
const OTHER = newSecret()
const BODY = '{"type":"service.failed","data":{"cause":"Überlauf – ✓"}}'

type Case = { what: string; secret: string; headers: Record<string, string>; body: string; isValid: boolean }

const signed = (secrets: string[], ageSeconds = 0) =>
  Object.fromEntries(signatureHeaders(secrets, 'msg_1', new Date(Date.now() - ageSeconds * 1_000), BODY))
const valid = signed([SECRET])

const CASES: Case[] = [
  { what: 'a message', secret: SECRET, headers: valid, body: BODY, isValid: true },
  { what: 'the second of two signatures', secret: SECRET, headers: signed([OTHER, SECRET]), body: BODY, isValid: true },
  { what: 'another secret', secret: OTHER, headers: valid, body: BODY, isValid: false },
  { what: 'a changed body', secret: SECRET, headers: valid, body: `${BODY} `, isValid: false },
  { what: 'another id', secret: SECRET, headers: { ...valid, 'webhook-id': 'msg_2' }, body: BODY, isValid: false },
  { what: 'an old message', secret: SECRET, headers: signed([SECRET], 900), body: BODY, isValid: false },
  { what: 'a message of the future', secret: SECRET, headers: signed([SECRET], -900), body: BODY, isValid: false },
  { what: 'no time', secret: SECRET, headers: { ...valid, 'webhook-timestamp': 'now' }, body: BODY, isValid: false },
  {
    what: 'another version',
    secret: SECRET,
    headers: { ...valid, 'webhook-signature': String(valid['webhook-signature']).replace('v1,', 'v2,') },
    body: BODY,
    isValid: false,
  },
  { what: 'no headers', secret: SECRET, headers: {}, body: BODY, isValid: false },
]

/** Reads the cases from a file, and prints a JSON list of booleans. */
const JAVASCRIPT_MAIN = `
import { readFileSync } from 'node:fs'
const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(cases.map((each) => isFromSoundline(each.secret, each.headers, each.body))))`

const PYTHON_MAIN = `

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)
print(json.dumps([is_from_soundline(each["secret"], each["headers"], each["body"]) for each in cases]))`

const GO_MAIN = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	json.Unmarshal(text, &cases)
	results := []bool{}
	for _, each := range cases {
		headers := http.Header{}
		for name, value := range each.Headers {
			headers.Set(name, value)
		}
		results = append(results, IsFromSoundline(each.Secret, headers, []byte(each.Body)))
	}
	output, _ := json.Marshal(results)
	fmt.Println(string(output))
}`

type Language = { name: string; files: Record<string, string>; command: string[] }

const LANGUAGES: Language[] = [
  {
    name: 'JavaScript',
    files: { 'verify.mjs': `${VERIFY_JAVASCRIPT}\n${JAVASCRIPT_MAIN}\n` },
    command: [process.execPath, 'verify.mjs'],
  },
  { name: 'Python', files: { 'verify.py': `${VERIFY_PYTHON}\n${PYTHON_MAIN}\n` }, command: ['python3', 'verify.py'] },
  {
    name: 'Go',
    files: { 'verify.go': VERIFY_GO.replace('package soundline', 'package main'), 'main.go': GO_MAIN },
    command: ['go', 'run', 'verify.go', 'main.go'],
  },
]

/** Node is always there; of the others, those that this machine has. */
const installed = LANGUAGES.filter(({ name, command: [program = ''] }) => {
  return name === 'JavaScript' || spawnSync(program, [name === 'Go' ? 'version' : '--version']).status === 0
})

describe.each(installed)('the function in $name', ({ files, command: [program = '', ...rest] }) => {
  let results: boolean[]

  beforeAll(() => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(CASES))
    const ended = spawnSync(program, [...rest, 'cases.json'], { cwd: folder, encoding: 'utf8' })
    if (ended.status !== 0) throw new Error(ended.stderr)
    results = JSON.parse(ended.stdout)
  })

  test.each(CASES.map((each, index) => ({ ...each, index })))('$what: $isValid', ({ index, isValid }) => {
    expect(results[index]).toBe(isValid)
  })
})

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}
