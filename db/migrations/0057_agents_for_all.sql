-- Services that name no agent run on open agents only. Agents that exist are open, so nothing moves.
ALTER TABLE "agents" ADD COLUMN "is_open" boolean DEFAULT true NOT NULL;
