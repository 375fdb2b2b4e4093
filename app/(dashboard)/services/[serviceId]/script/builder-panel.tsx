'use client'

import { Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { stepProblems } from '#server/language/builder/problems.ts'
import { secretsToVariables } from '#server/language/builder/secrets.ts'
import { mutation } from '../../../../client/api.ts'
import { BlockedNotice } from '../../../../components/builder/script-panel.tsx'
import { SecretNotice, type SecretScope } from '../../../../components/builder/secret-notice.tsx'
import { StepSequence } from '../../../../components/builder/step-sequence.tsx'
import { useSteps } from '../../../../components/builder/use-steps.ts'
import { useTests } from '../../../../components/builder/use-tests.ts'
import { ProblemAlert } from '../../../../components/problem-alert.tsx'
import type { VariableName } from '../../../../components/script-editor/completion.ts'

type Props = {
  service: { id: string; projectId: string; unverifiedTargets: string[] }
  text: string
  variables: VariableName[] | null
  onChange: (text: string) => void
}

const NO_SECRETS: never[] = []

/** The script of a service as steps, if the builder can show it. */
export function BuilderPanel({ service, text, variables, onChange }: Props) {
  const steps = useSteps({ text })
  const mayInclude = service.unverifiedTargets.length === 0
  const tests = useTests({ steps, secrets: NO_SECRETS, serviceId: service.id, mayInclude })
  const [isChecked, setChecked] = useState(false)
  const problems = stepProblems(steps.steps)
  const storeForService = useMutation(mutation('variables.service.create'))
  const storeForProject = useMutation(mutation('variables.project.create'))

  // The text may change elsewhere, such as by a restored version.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the text changes
  useEffect(() => {
    if (text !== steps.script) steps.setText(text)
  }, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the steps change
  useEffect(() => {
    if (text !== steps.script) onChange(steps.script)
  }, [steps.script])

  const takeOut = async (scope: SecretScope) => {
    const [prefix, store, id] =
      scope === 'service'
        ? (['s', storeForService, service.id] as const)
        : (['p', storeForProject, service.projectId] as const)
    const taken = (variables ?? []).flatMap(({ name }) => (name.startsWith(`$${prefix}.`) ? name.slice(3) : []))
    const taking = secretsToVariables(steps.steps, prefix, taken)
    for (const { key, value } of taking.variables) await store.mutateAsync({ id, key, value, type: 'secret' })
    steps.setSteps(taking.steps)
  }
  if (!steps.isRead && steps.steps.length === 0) return null
  if (steps.blocked) return <BlockedNotice blocked={steps.blocked} />
  return (
    <Stack>
      <StepSequence
        steps={steps}
        tests={tests}
        problems={isChecked ? problems : []}
        mayInclude={mayInclude}
        onTest={() => {
          setChecked(true)
          if (problems.length === 0) tests.test()
        }}
      />
      <ProblemAlert error={storeForService.error ?? storeForProject.error} />
      <SecretNotice
        steps={steps.steps}
        isPending={storeForService.isPending || storeForProject.isPending}
        onTakeOut={(scope) => void takeOut(scope).catch(() => {})}
      />
    </Stack>
  )
}
