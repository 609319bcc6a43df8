-- Taints keep out pods that do not tolerate them. Read anew from every cluster, so none is a fit beginning.
ALTER TABLE nodes ADD COLUMN taints jsonb NOT NULL DEFAULT '[]';
