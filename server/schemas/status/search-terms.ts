import { SERVICE_STATES, type ServiceState } from './states.ts'

// The search text for services: words and terms such as `label:critical state:failing "check out"`.

export const SEARCH_MAX = 200
/** Each word is a comparison with every name. */
export const SEARCH_WORDS_MAX = 8

export type SearchTerms = {
  /** Lower-case parts of names, labels, URLs and hosts. All must be found. */
  words: string[]
  /** Any of these states; empty for all. The values of the other lists combine in the same way. */
  states: ServiceState[]
  labels: string[]
  agents: string[]
  workspaces: string[]
  projects: string[]
  /** Parts of hosts. */
  hosts: string[]
  /** What could not be understood, in words. The rest of the search still applies. */
  problems: string[]
}

const LISTS = { label: 'labels', agent: 'agents', host: 'hosts', workspace: 'workspaces', project: 'projects' } as const

// A term with its value, or a word. Quotes enclose spaces; the last quote may be missing while a member types.
const TERM = /([a-z]+):(?:"([^"]*)"?|([^\s"]*))|"([^"]*)"?|([^\s"]+)/giu

/** Parses a search. It never fails: unknown terms become problems. */
export function parseSearch(text: string): SearchTerms {
  const terms: SearchTerms = {
    words: [],
    states: [],
    labels: [],
    agents: [],
    workspaces: [],
    projects: [],
    hosts: [],
    problems: [],
  }
  for (const [, key, quotedValue, value, quotedWord, word] of text.slice(0, SEARCH_MAX).matchAll(TERM)) {
    const found = (quotedValue ?? value ?? quotedWord ?? word ?? '').trim().toLowerCase()
    const problem = key === undefined ? addWord(terms, found) : addTerm(terms, key.toLowerCase(), found)
    if (problem !== null && !terms.problems.includes(problem)) terms.problems.push(problem)
  }
  return terms
}

/** Adds a word, and returns the problem with it, if any. */
function addWord({ words }: SearchTerms, word: string): string | null {
  if (word === '' || words.includes(word)) return null
  if (words.length >= SEARCH_WORDS_MAX) return `Only the first ${SEARCH_WORDS_MAX} words are used.`
  words.push(word)
  return null
}

function addTerm(terms: SearchTerms, name: string, value: string): string | null {
  if (name === 'state') return addState(terms, value)
  // An address, such as `https://shop.example` or `localhost:8080`, is text.
  if (/^\/\/|^\d+(\/|$)/.test(value) && !isListName(name)) return addWord(terms, `${name}:${value}`)
  if (!isListName(name)) return `“${name}:” is unknown. Use state, label, agent, host, workspace or project.`
  if (value === '') return `“${name}:” needs a value.`
  const values = terms[LISTS[name]]
  if (!values.includes(value) && values.length < SEARCH_WORDS_MAX) values.push(value)
  return null
}

function addState({ states }: SearchTerms, value: string): string | null {
  const state = SERVICE_STATES.find((one) => one === value)
  if (!state) return `“state:${value}” is unknown. Use ${SERVICE_STATES.join(', ')}.`
  if (!states.includes(state)) states.push(state)
  return null
}

function isListName(name: string): name is keyof typeof LISTS {
  return Object.hasOwn(LISTS, name)
}
