CREATE TABLE "setup_links" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"nonce" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "setup_links_only_check" CHECK (is_only)
);
