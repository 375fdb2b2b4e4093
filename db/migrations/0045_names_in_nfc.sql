-- Names are stored in the form NFC from now on. Where names of one place look alike, they stay until one is changed.
UPDATE "workspaces" r SET "name" = normalize(r."name") WHERE r."name" IS NOT NFC NORMALIZED AND NOT EXISTS (
	SELECT FROM "workspaces" o WHERE o."organization_id" = r."organization_id" AND o."id" <> r."id" AND normalize(o."name") = normalize(r."name"));--> statement-breakpoint
UPDATE "projects" r SET "name" = normalize(r."name") WHERE r."name" IS NOT NFC NORMALIZED AND NOT EXISTS (
	SELECT FROM "projects" o WHERE o."organization_id" = r."organization_id" AND o."workspace_id" = r."workspace_id" AND o."id" <> r."id" AND normalize(o."name") = normalize(r."name"));--> statement-breakpoint
UPDATE "services" r SET "name" = normalize(r."name") WHERE r."name" IS NOT NFC NORMALIZED AND NOT EXISTS (
	SELECT FROM "services" o WHERE o."organization_id" = r."organization_id" AND o."project_id" = r."project_id" AND o."id" <> r."id" AND normalize(o."name") = normalize(r."name"));--> statement-breakpoint
UPDATE "groups" r SET "name" = normalize(r."name") WHERE r."name" IS NOT NFC NORMALIZED AND NOT EXISTS (
	SELECT FROM "groups" o WHERE o."organization_id" = r."organization_id" AND o."id" <> r."id" AND normalize(o."name") = normalize(r."name"));--> statement-breakpoint
UPDATE "webhooks" r SET "name" = normalize(r."name") WHERE r."name" IS NOT NFC NORMALIZED AND NOT EXISTS (
	SELECT FROM "webhooks" o WHERE o."organization_id" = r."organization_id" AND o."id" <> r."id" AND normalize(o."name") = normalize(r."name"));--> statement-breakpoint
UPDATE "project_tokens" r SET "name" = normalize(r."name") WHERE r."name" IS NOT NFC NORMALIZED AND NOT EXISTS (
	SELECT FROM "project_tokens" o WHERE o."organization_id" = r."organization_id" AND o."project_id" = r."project_id" AND o."id" <> r."id" AND normalize(o."name") = normalize(r."name"));--> statement-breakpoint
UPDATE "services" r SET "label" = normalize(r."label") WHERE r."label" IS NOT NFC NORMALIZED;
