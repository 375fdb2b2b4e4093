'use client'

import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import dynamic from 'next/dynamic'
import { useMemo, useState } from 'react'
import type { StepBody } from '#server/schemas/results/results.ts'
import { CodeBlock } from '../code-block.tsx'
import { bytesText } from '../numbers.ts'
import { bodyBytes, hexText, readJson } from './body-data.ts'
import { DEPTH_MAX, indentedJson } from './indented-json.ts'
import type { TakeValue } from './json-tree.tsx'

const JsonTree = dynamic(() => import('./json-tree.tsx').then(({ JsonTree }) => JsonTree))

/** Larger texts and dumps would block the page. The download has the whole body. */
const TEXT_MAX = 200_000
const HEX_MAX_BYTES = 16_384

type View = 'tree' | 'text' | 'hex'

/** A response body as a tree of its JSON, as text or in hexadecimal, with a download. `onTake` gets a field of the JSON. */
export function BodyContent({ body, onTake }: { body: StepBody; onTake?: TakeValue | undefined }) {
  const isBinary = body.encoding === 'base64'
  const json = useMemo(() => (isBinary ? undefined : readJson(body.content)), [body, isBinary])
  const bytes = useMemo(() => bodyBytes(body), [body])
  const views = [
    ...(json === undefined ? [] : [{ value: 'tree', label: 'Tree' }]),
    ...(isBinary ? [] : [{ value: 'text', label: 'Text' }]),
    { value: 'hex', label: 'Hex' },
  ]
  const [view, setView] = useState<View>(json !== undefined ? 'tree' : isBinary ? 'hex' : 'text')
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Show the body as"
          data={views}
          value={view}
          onChange={(next) => setView(next as View)}
        />
        <Group gap="sm">
          <Text size="xs" c="dimmed">
            {body.contentType ?? (isBinary ? 'Binary' : 'Unknown type')} · {bytesText(bytes.length)}
          </Text>
          <Anchor component="button" type="button" size="xs" underline="always" onClick={() => download(bytes)}>
            Download
          </Anchor>
        </Group>
      </Group>
      {view === 'tree' && <JsonTree value={json} label="Response body" onTake={onTake} />}
      {view === 'text' && <TextView text={body.content} isJson={json !== undefined} />}
      {view === 'hex' && <HexView bytes={bytes} />}
    </Stack>
  )
}

function TextView({ text, isJson }: { text: string; isJson: boolean }) {
  const shown = useMemo(() => {
    const start = text.slice(0, TEXT_MAX)
    return isJson ? indentedJson(start) : { text: start, isDeep: false }
  }, [text, isJson])
  return (
    <>
      <CodeBlock text={shown.text.slice(0, TEXT_MAX)} label="Response body" wrap />
      {shown.isDeep && (
        <Text size="xs" c="dimmed">
          Values more than {DEPTH_MAX} levels deep are not broken into lines.
        </Text>
      )}
      {Math.max(text.length, shown.text.length) > TEXT_MAX && (
        <CutNotice>The first {TEXT_MAX.toLocaleString('en')} characters.</CutNotice>
      )}
    </>
  )
}

function HexView({ bytes }: { bytes: Uint8Array }) {
  return (
    <>
      <CodeBlock text={hexText(bytes.subarray(0, HEX_MAX_BYTES))} label="Response body" />
      {bytes.length > HEX_MAX_BYTES && <CutNotice>The first {bytesText(HEX_MAX_BYTES)}.</CutNotice>}
    </>
  )
}

function CutNotice({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children} Download the body to read all of it.
    </Text>
  )
}

/** Never with the type of the body: the browser must not open it as a page of this site. */
function download(bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'body'
  link.click()
  URL.revokeObjectURL(url)
}
