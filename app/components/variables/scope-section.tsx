'use client'

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Variable } from '#server/schemas/variables.ts'
import { mutation } from '../../client/api.ts'
import { ConfirmRemoval } from '../confirm-removal.tsx'
import { Section } from '../section.tsx'
import { type VariableOwner, variablePath } from './scope.ts'
import { ChangeVariableDialog, NewVariableDialog } from './variable-dialog.tsx'
import { VariableTable } from './variable-table.tsx'

/** The variables of one scope, and changing them where the member may. */
export function ScopeSection(props: {
  title: string
  intro?: ReactNode
  owner: VariableOwner
  prefix: string
  editable: boolean
  variables: Variable[]
  children?: ReactNode
}) {
  const { owner, prefix, editable } = props
  const [isCreating, setCreating] = useState(false)
  const [changing, setChanging] = useState<Variable | null>(null)
  const [leaving, setLeaving] = useState<Variable | null>(null)
  const remove = useMutation({ ...mutation(variablePath(owner, 'remove')), onSuccess: () => setLeaving(null) })
  return (
    <Section
      title={props.title}
      intro={props.intro}
      actions={
        editable && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            New variable
          </Button>
        )
      }
    >
      <VariableTable
        owner={owner}
        prefix={prefix}
        variables={props.variables}
        editable={editable}
        onChange={setChanging}
        onRemove={setLeaving}
      />
      {props.children}
      {isCreating && <NewVariableDialog owner={owner} prefix={prefix} onClose={() => setCreating(false)} />}
      {changing && <ChangeVariableDialog owner={owner} variable={changing} onClose={() => setChanging(null)} />}
      <ConfirmRemoval
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Delete variable"
        warning={
          <>
            Scripts that read <strong>{leaving?.key}</strong> fail until it is there again.
          </>
        }
        verb="Delete variable"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving && remove.mutate({ id: owner.id, varId: leaving.id })}
      />
    </Section>
  )
}
