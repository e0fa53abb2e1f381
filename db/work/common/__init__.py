"""What several folders of `work` share, such as timestamps, barred studies, masked models, work items,
message threads and bulk inserts.
"""
