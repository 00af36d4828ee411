//! Serves session-search to models over the Model Context Protocol
