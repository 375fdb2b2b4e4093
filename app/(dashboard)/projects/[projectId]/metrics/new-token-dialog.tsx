'use client'

import { useState } from 'react'
import { ProjectTokenInput } from '#server/schemas/projects.ts'
import { useOperationForm } from '../../../../client/use-operation-form.ts'
import { FormFrame } from '../../../../components/forms/form-frame.tsx'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { ShownOnce } from '../../../../components/forms/shown-once.tsx'

/** Creates a token for the metrics of a project and shows it once. */
export function NewTokenDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [token, setToken] = useState<string | null>(null)
  return (
    <ShownOnce secret={token} what="token" label="Token" onClose={onClose}>
      <NewTokenForm id={id} onToken={setToken} onClose={onClose} />
    </ShownOnce>
  )
}

function NewTokenForm({ id, onToken, onClose }: { id: string; onToken: (token: string) => void; onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'projects.metricsTokens.create',
    schema: ProjectTokenInput,
    initialValues: { id, name: '' },
    onDone: ({ token }) => onToken(token),
  })
  return (
    <FormFrame {...operation} submitLabel="Create token" onCancel={onClose}>
      <NameInput
        description="Where the token is used, such as prometheus."
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormFrame>
  )
}
