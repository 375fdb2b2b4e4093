import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import type { VariableName } from '../script-editor/completion.ts'
import { LazyScriptEditor } from '../script-editor/lazy-script-editor.tsx'
import type { ScriptEditorHandle } from '../script-editor/script-editor.tsx'
import type { Blocked, Steps } from './use-steps.ts'

const NO_MARKS: never[] = []

/** The script of the steps, as text that can be changed: the steps follow it. */
export function ScriptPanel({ steps, variables }: { steps: Steps; variables: VariableName[] | null }) {
  const editor = useRef<ScriptEditorHandle>(null)
  return (
    <LazyScriptEditor
      ref={editor}
      value={steps.script}
      onChange={(text) => {
        if (text !== steps.script) steps.setText(text)
      }}
      onSave={() => {}}
      marks={NO_MARKS}
      variables={variables}
      readOnly={false}
    />
  )
}

/** Says why a script has no steps in the builder, and how to go on. */
export function BlockedNotice({ blocked, onDiscard }: { blocked: Blocked; onDiscard?: () => void }) {
  return (
    <Alert color="gray" variant="light" title="The builder cannot show this script">
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {blockedText(blocked)} The script runs as it is, and stays a script.
        </Text>
        {onDiscard && (
          <Group>
            <Button size="compact-sm" variant="default" onClick={onDiscard}>
              Go back to the steps
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** Returns for example `Line 3: it has a comment.` */
function blockedText({ line, reason }: Blocked): string {
  return `Line ${line}: ${reason.replace(/\.$/, '')}.`
}
