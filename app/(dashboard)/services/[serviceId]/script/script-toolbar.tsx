'use client'

import { Anchor, Button, Group } from '@mantine/core'
import { Play } from '../../../../components/icons.ts'
import { FileInput, History, Save } from '../../../icons.ts'

type Props = {
  mayWrite: boolean
  isEmpty: boolean
  isDirty: boolean
  isTooLong: boolean
  isSaving: boolean
  isRunning: boolean
  onExample: () => void
  onImport: () => void
  onVersions: () => void
  onDiscard: () => void
  onRun: () => void
  onSave: () => void
}

/** What can be done with the script. Members who may not write it see its versions only. */
export function ScriptToolbar(props: Props) {
  const { isEmpty, isDirty, isTooLong } = props
  const versions = (
    <Button variant="default" leftSection={<History size={15} aria-hidden />} onClick={props.onVersions}>
      Versions
    </Button>
  )
  if (!props.mayWrite) return versions
  return (
    <Group gap="xs">
      <Anchor href="/docs/language" target="_blank" size="sm" mr="xs">
        Script language
      </Anchor>
      {isEmpty && (
        <Button variant="default" onClick={props.onExample}>
          Insert an example
        </Button>
      )}
      {isDirty && (
        <Button variant="default" onClick={props.onDiscard}>
          Discard changes
        </Button>
      )}
      {versions}
      <Button variant="default" leftSection={<FileInput size={15} aria-hidden />} onClick={props.onImport}>
        Import
      </Button>
      <Button
        variant="default"
        leftSection={<Play size={15} aria-hidden />}
        loading={props.isRunning}
        disabled={isEmpty || isTooLong}
        onClick={props.onRun}
      >
        Run draft
      </Button>
      <Button
        leftSection={<Save size={15} aria-hidden />}
        loading={props.isSaving}
        disabled={!isDirty || isTooLong}
        onClick={props.onSave}
      >
        Save script
      </Button>
    </Group>
  )
}
