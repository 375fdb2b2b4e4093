import { z } from 'zod'
import type { ActorContext } from '../../context.ts'
import type { createCaller } from '../../router.ts'

export type Caller = ReturnType<typeof createCaller>

/** What a tool may use of the request that calls it. */
export type ToolRequest = {
  ctx: ActorContext
  /** Calls operations as the key's member, within the bounds of a request of the public API. */
  call: <T>(work: (caller: Caller) => Promise<T>) => Promise<T>
  /**
   * Waits for a run or a draft of the organization. Holds no connection. Later calls are for the key's member as they are
   * then.
   * @throws ApiError when the key or its member was refused meanwhile
   */
  wait: (id: string, ms: number) => Promise<void>
}

/** `summary` is for people and short; `data` is for the program, and is cut to a bounded size. */
export type ToolOutput = { summary: string; data: Record<string, unknown> }

/** A tool of the MCP endpoint. Keys with read access have only the tools with read access. */
export type Tool = {
  name: string
  title: string
  description: string
  access: 'read' | 'write'
  input: z.ZodObject
  /** The input as JSON Schema. */
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  run: (input: never, request: ToolRequest) => Promise<ToolOutput>
}

type Definition<Input extends z.ZodObject> = Omit<Tool, 'input' | 'inputSchema' | 'run'> & {
  input: Input
  run: (input: z.output<Input>, request: ToolRequest) => Promise<ToolOutput>
}

export function defineTool<Input extends z.ZodObject>(definition: Definition<Input>): Tool {
  const { $schema: _, ...schema } = z.toJSONSchema(definition.input, { io: 'input' })
  return { ...definition, inputSchema: { ...schema, type: 'object' }, run: definition.run as Tool['run'] }
}
