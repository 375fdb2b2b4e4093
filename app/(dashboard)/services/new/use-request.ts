import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { stepProblems } from '#server/language/builder/problems.ts'
import { secretsToVariables } from '#server/language/builder/secrets.ts'
import { NEW_STEP, storedVariablesOf } from '#server/language/builder/steps.ts'
import { query } from '../../../client/api.ts'
import { originsScript } from '../../../components/builder/origins.ts'
import { STATUS_200, useSteps } from '../../../components/builder/use-steps.ts'
import { useTests } from '../../../components/builder/use-tests.ts'
import { nameOfSecret, type PendingSecret } from './secret-list.tsx'
import type { KeptDraft } from './use-kept-draft.ts'

const FIRST_STEP = { ...NEW_STEP, assertions: STATUS_200 }

/** The steps of a new service with the secrets that they name, and their test. */
export function useRequest() {
  const steps = useSteps({ steps: [FIRST_STEP] })
  const [entered, setSecrets] = useState<PendingSecret[]>([])
  const [isChecked, setChecked] = useState(false)
  const names = storedVariablesOf(steps.script)
  const kept = entered.filter((secret) => names.includes(nameOfSecret(secret)))
  // A new service has no variables: one that a request names, such as that of a pasted command, needs a value.
  const missing = (steps.blocked ? [] : names)
    .filter((name) => name.startsWith('$s.') && !kept.some((secret) => nameOfSecret(secret) === name))
    .map((name): PendingSecret => ({ scope: 'service', key: name.slice(3), value: '', asks: 'named' }))
  const secrets = [...kept, ...missing]
  const usedSecrets = secrets.map(({ scope, key, value }) => ({ scope, key, value }))
  /** The origins of the last test; empty when they are not known. */
  const [origins, setOrigins] = useState('')
  const validation = useQuery({
    ...query('drafts.validate', { script: origins }),
    enabled: origins !== '',
    staleTime: 60_000,
  })
  const unverifiedHosts = validation.data?.unverifiedHosts ?? []
  const isJudged = origins === '' || !validation.isPending
  const mayInclude = isJudged ? validation.data !== undefined && unverifiedHosts.length === 0 : null
  const tests = useTests({ steps, secrets: usedSecrets, mayInclude })
  const problems = steps.blocked ? [] : stepProblems(steps.steps)
  const isEmpty = !steps.blocked && steps.steps.length === 1 && steps.steps[0]?.url.trim() === ''
  const isComplete = problems.length === 0 && usedSecrets.every(({ value }) => value !== '')
  return {
    steps,
    tests,
    secrets,
    usedSecrets,
    setSecrets,
    unverifiedHosts,
    mayInclude,
    isEmpty,
    /** Shown once the member has tried to test or to create. */
    problems: isChecked ? problems : [],
    isChecked,
    takeOut: (scope: 'service' | 'project') => {
      const taken = secrets.filter((secret) => secret.scope === scope).map(({ key }) => key)
      const taking = secretsToVariables(steps.steps, scope === 'service' ? 's' : 'p', taken)
      steps.setSteps(taking.steps)
      setSecrets([...secrets, ...taking.variables.map((variable) => ({ scope, ...variable }))])
    },
    test: () => {
      setChecked(true)
      if (!isComplete) return
      setOrigins(steps.blocked ? '' : originsScript(steps.steps))
      tests.test()
    },
    /** Returns whether the service can be created, and shows what is missing. */
    check: ({ mayBeEmpty }: { mayBeEmpty: boolean }) => {
      const isReady = isComplete || (isEmpty && mayBeEmpty)
      setChecked(!isReady)
      return isReady
    },
    restore: (kept: KeptDraft) => {
      steps.setSteps(kept.steps)
      if (kept.text !== null && kept.text !== '') steps.setText(kept.text)
      setSecrets(kept.secrets.map((secret) => ({ ...secret, value: '', asks: 'lost' })))
    },
    clear: () => {
      steps.setSteps([FIRST_STEP])
      setSecrets([])
      setChecked(false)
    },
  }
}

export type Request = ReturnType<typeof useRequest>
