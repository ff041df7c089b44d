-- Version 2: finding the few `device` events (what a GPU was measured to reach) among millions of others.
CREATE INDEX event_device ON event(rid) WHERE kind = 6;
