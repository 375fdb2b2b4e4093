'use client'

import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Name } from '#server/schemas/conventions.ts'
import type { Input, MutationPath, Output } from '../client/api.ts'
import { useOperationForm } from '../client/use-operation-form.ts'
import { ProblemAlert } from './problem-alert.tsx'

type Props<Path extends MutationPath> = {
  path: Path
  title: string
  /** What the button says, such as `Create workspace`. */
  submitLabel: string
  initialName?: string
  description?: ReactNode
  toInput: (name: string) => Input<Path>
  onClose: () => void
  onDone: (output: Output<Path>) => void
}

/** Gives something its name, or a new one. Mounted only while open, so it starts afresh each time. */
export function NameDialog<Path extends MutationPath>(props: Props<Path>) {
  const { form, submit, isPending, error } = useOperationForm({
    path: props.path,
    schema: z.object({ name: Name }),
    initialValues: { name: props.initialName ?? '' },
    toInput: ({ name }) => props.toInput(name.trim()),
    onDone: props.onDone,
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('name', problem.message)
      return true
    },
  })
  return (
    <Modal opened onClose={props.onClose} title={props.title} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput
            label="Name"
            description={props.description}
            data-autofocus
            autoComplete="off"
            maxLength={128}
            required
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {props.submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
